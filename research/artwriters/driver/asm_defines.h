// Stands for the header of offsets that Android's build makes for ART's assembly
// code. The tracer includes it and uses none of them.
