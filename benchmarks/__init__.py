"""The benchmarks behind `make bench`: each figure beside a yardstick of the same run."""
