-- One code is one product, in whatever case it is typed. An installation that has two already keeps them, and its server alone refuses a third.
do $$
begin
  if exists (select from product_product group by lower(code) having count(*) > 1) then
    create index product_product_code_any_case on product_product (lower(code));
  else
    create unique index product_product_code_any_case on product_product (lower(code));
  end if;
end
$$;
