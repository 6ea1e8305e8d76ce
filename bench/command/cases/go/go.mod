module readings

go 1.20
