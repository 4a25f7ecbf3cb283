"""What can go wrong with an embedded service, each as one sentence for a person."""


class ServiceFailed(Exception):
    """A service did not start, or did not stop."""


class DataDirectoryInUse(Exception):
    """Another `up` works on the same data directory."""
