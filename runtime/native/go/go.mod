module tilewright

go 1.19
