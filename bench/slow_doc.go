// Package slow measures what traces show of a method that got slower.
//
// Tracing adds its own time to what it measures, and sampling leaves some out. Whether a trace that
// shows a method 16 % slower means 16, 20 or 30 % cannot be told from the trace: a profiler that
// is right about which method is hottest can be wrong about every change (Mytkowicz, Diwan,
// Hauswirth and Sweeney, Evaluating the accuracy of Java profilers, PLDI 2010, who made methods
// slower by known amounts, as here). A truth can be made slower exactly: a workload runs with the
// method's own times multiplied ([workload.Program.Slowed]), and in a recorded truth the time in which
// the method is innermost is stretched ([Stretched]). Each way of tracing then records several such
// truths, and a straight line through what the traces show says what it makes of a change
// ([Measure]).
package bench
