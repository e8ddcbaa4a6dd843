package outputs

// Path returns the program's path.
func (p *Program) Path() string { return p.path }
