++ add
keep
