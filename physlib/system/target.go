package system

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
)

// encodeTarget returns the target tokens of a law. With exact lengths they are those of the
// expression. In a padded window a start and an end token enclose it.
func (n *network) encodeTarget(law expr.Tree) ([]int32, error) {
	ids, err := n.vocab.Encode(law)
	if err != nil {
		return nil, err
	}
	if n.Lengths == "pad" {
		ids = append(append([]int32{n.vocab.SOS()}, ids...), n.vocab.EOS())
	}
	if len(ids) > n.Seq {
		return nil, fmt.Errorf("%d tokens, the longest sequence has %d", len(ids), n.Seq)
	}
	return ids, nil
}
