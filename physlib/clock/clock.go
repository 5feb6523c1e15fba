// Package clock tells how much processor time this process has used: what a computation costs beside other work, and the budget of
// runs that shall have equal compute.
package clock
