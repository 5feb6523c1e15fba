// Package qr solves linear least squares problems by orthogonal factorization, and calculates the
// damped steps of Levenberg and Marquardt. It is used by package fit, by the search and by genetic
// programming.
package qr
