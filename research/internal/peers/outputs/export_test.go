package outputs

// Path is where the program is.
func (p *Program) Path() string { return p.path }
