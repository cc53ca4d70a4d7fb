-- Terminals are found by the beginnings of the numbers of their hardware, however those are written.
create index device_imei on device (imei text_pattern_ops) where imei is not null;
create index device_iccid on device (upper(iccid) text_pattern_ops) where iccid is not null;
create index device_pn on device (upper(pn) text_pattern_ops) where pn is not null;
create index device_mac on device (upper(translate(mac, ':-.', '')) text_pattern_ops) where mac is not null;
