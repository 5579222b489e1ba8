"""An SVD file or CMSIS pack to a device model."""
