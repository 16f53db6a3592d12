"""The version of this package, without reading metadata where the source tree is run in place."""

VERSION = "0.1.0"
