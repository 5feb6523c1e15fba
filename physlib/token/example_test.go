package token_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/token"
)

func ExampleVocabulary_Encode() {
	vars := []string{"m", "v"}
	energy, _ := expr.Parse("1/2*m*v**2", vars)
	for _, v := range []*token.Vocabulary{token.PhysDiffuse(), token.Small(), token.PhysMDT(), token.PARR()} {
		ids, err := v.Encode(energy)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%-11s %s\n", v.Name(), v.Text(ids))
	}
	angle, _ := expr.Parse("m*tan(v)", vars)
	_, err := token.PhysDiffuse().Encode(angle)
	fmt.Println(err)
	// Output:
	// physdiffuse mul mul half x_0 pow x_1 int_2
	// small       mul mul half x_0 sq x_1
	// physmdt     1 2 / x1 * x2 2 ^ *
	// parr        mul mul half x_0 sq x_1
	// token: physdiffuse cannot write tan(x1): it has no token for tan; try sin(u)/cos(u)
}

// Numbers without a token of their own are written with digits, with hundredths, or with mantissa
// and exponent.
func ExampleVocabulary_Encode_numbers() {
	for _, v := range []*token.Vocabulary{token.PhysDiffuse(), token.PhysMDT(), token.PARR()} {
		ids, _ := v.Encode(expr.Num(9.81))
		back, _ := v.Decode(ids)
		fmt.Printf("%-11s %s = %v\n", v.Name(), v.Text(ids), back)
	}
	// Output:
	// physdiffuse d_9 d_dot d_8 int_1 = 9.81
	// physmdt     10 -19 . = 9.81
	// parr        E-2 d_9 d_8 int_1 = 9.81
}

func ExampleVocabulary_Decode() {
	v := token.Small()
	var ids []int32
	for _, name := range []string{"<SOS>", "mul", "c_0", "sqrt", "div", "x_0", "x_1", "<EOS>", "<PAD>"} {
		id, _ := v.ID(name)
		ids = append(ids, id)
	}
	law, err := v.Decode(ids)
	fmt.Println(law.Infix([]string{"l", "g"}), err)
	_, err = v.Decode(ids[:6])
	fmt.Println(err)
	// Output:
	// c0*sqrt(l/g) <nil>
	// token: position 6: the expression is incomplete: missing operands: 1
}

// Even a network that always prefers the same tokens yields expressions.
func ExampleGrammar() {
	v := token.Small()
	g := v.Grammar(v.Columns(2)) // grammar for a table with two columns
	const seq = 5
	logp := make([]float32, seq*v.Size())
	for i := range seq {
		for name, score := range map[string]float32{"sin": 3, "x_0": 2, "mul": 1, "x_1": 1} {
			id, _ := v.ID(name)
			logp[i*v.Size()+int(id)] = score
		}
	}
	best, score, _ := g.Best(logp, seq, nil)
	fmt.Println(v.Text(best), score)

	given := []int32{v.Mask(), v.Mask(), v.Mask(), best[4], v.Mask()} // one token is known
	all, scores := g.NBest(logp, seq, given, 3)
	for k := range all {
		fmt.Println(v.Text(all[k]), scores[k])
	}

	ids, _ := g.Sample(rand.New(rand.NewPCG(1, 2)), logp, seq, nil, 1)
	law, err := v.Decode(ids)
	fmt.Println(law.Len(), err)
	// Output:
	// sin sin sin sin x_0 14
	// sin sin mul x_0 x_0 9
	// mul sin sin x_0 x_0 9
	// sin mul sin x_0 x_0 9
	// 5 <nil>
}

// Positions returns only what follows from the visible tokens and the length. Here x_0 must be an
// operand of the masked token before it, since the expression would otherwise end too soon. It is
// unknown how many operands that token has. So every position after x_0 is unknown as well.
func ExampleVocabulary_Positions() {
	v := token.Small()
	var ids []int32
	for _, name := range []string{"add", "sin", "<MASK>", "x_0", "<MASK>", "<MASK>"} {
		id, _ := v.ID(name)
		ids = append(ids, id)
	}
	for i, p := range v.Positions(ids) {
		fmt.Printf("%-6s %+v\n", v.Token(ids[i]), p)
	}
	// Output:
	// add    {Depth:0 Sibling:0 Horizontal:0 Known:true}
	// sin    {Depth:1 Sibling:0 Horizontal:0 Known:true}
	// <MASK> {Depth:2 Sibling:0 Horizontal:0 Known:true}
	// x_0    {Depth:3 Sibling:0 Horizontal:0 Known:true}
	// <MASK> {Depth:0 Sibling:-1 Horizontal:0 Known:false}
	// <MASK> {Depth:0 Sibling:-1 Horizontal:0 Known:false}
}

func ExampleObservations() {
	var o token.Observations
	ids := o.AppendRow(nil, 1.5, -6.67e-11)
	for _, id := range ids {
		fmt.Print(o.Token(id), " ")
	}
	row, err := o.Row(ids)
	fmt.Println(row, err)
	// Output: + 15 00 E0 <VAR> - 66 70 E-11 <OBS> [1.5 -6.67e-11] <nil>
}
