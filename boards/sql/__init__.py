"""SQL of the archive and of what boards are read, one statement a file. Each file opens with what it takes and gives."""

from pathlib import Path

from scoring.sql import statements

statement = statements(Path(__file__).parent)
