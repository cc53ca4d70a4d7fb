-- In which square of the map a shop or a merchant stands, found as terminals are. Few rows: they are written anew within a second.
alter table merchant_shop add column cell bigint generated always as (device_cell(lat, lon)) stored;
create index merchant_shop_cell on merchant_shop (cell) where cell is not null;
create index merchant_shop_dept_cell on merchant_shop (dept_path, cell) where cell is not null;
create index merchant_shop_of_cell on merchant_shop (merchant_id, cell) where cell is not null;
alter table merchant_merchant add column cell bigint generated always as (device_cell(lat, lon)) stored;
create index merchant_merchant_cell on merchant_merchant (cell) where cell is not null;
create index merchant_merchant_dept_cell on merchant_merchant (dept_path, cell) where cell is not null;
