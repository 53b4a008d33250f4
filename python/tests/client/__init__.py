"""The clients of an agent, on the fakes of the platforms."""
