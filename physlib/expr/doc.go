// Package expr holds the laws themselves: expression trees over the columns of a table, with free constants.
package expr
