// Package qr does linear least squares by orthogonal factorization, and the damped steps of
// Levenberg and Marquardt on top of it. Package fit and genetic programming share both.
package qr
