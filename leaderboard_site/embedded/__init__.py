"""PostgreSQL and Redis that the project brings along, for development and tests."""
