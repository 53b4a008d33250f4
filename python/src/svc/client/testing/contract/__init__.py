"""The cases of the contract, and the stage on which they run."""
