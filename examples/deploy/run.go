// Run a model of one 4x8 input and one 4x8 output; the comment of the package builds it.
package main

import (
	"fmt"
	"os"

	"tilewright"
)

func run(path string) error {
	model, err := tilewright.Load(path)
	if err != nil {
		return err
	}
	defer model.Close()
	inputs, _, err := model.Arguments()
	if err != nil {
		return err
	}
	for _, each := range inputs {
		fmt.Fprintf(os.Stderr, "%s: %s\n", each.Name, each.Type)
	}
	elements := make([]float32, 32)
	for n := range elements {
		elements[n] = float32(n) / 32
	}
	x, err := tilewright.NewTensor(elements, 4, 8)
	if err != nil {
		return err
	}
	outputs, err := model.Run(x)
	if err != nil {
		return err
	}
	made, err := tilewright.Elements[float32](outputs[0])
	for _, y := range made {
		fmt.Println(y)
	}
	return err
}

func main() {
	path := "m.so"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := run(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
