-- drop
keep
