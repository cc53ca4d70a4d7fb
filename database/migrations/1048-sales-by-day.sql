-- Sales by the end of their warranty; those by their day are found already.
create index inventory_sale_warranty on inventory_sale (dept_path, warranty_until, id) where warranty_until is not null;
create index inventory_sale_warranties on inventory_sale (warranty_until, id) include (dept_path) where warranty_until is not null;
