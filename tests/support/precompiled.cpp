// A library must have a source; what counts are its precompiled headers.
