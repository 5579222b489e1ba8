"""What the core files are made from. ``python -m datasheet_lsp.svd.cores.sources`` writes them.

The facts are those of the Armv6-M, Armv7-M and Armv8-M Architecture Reference Manuals and of the
cores' Technical Reference Manuals; the names are those of CMSIS-Core, which C code uses.
"""
