-- Whatever both sides write and answer counts: of two forms the second is told, and no answer goes to a quote that came meanwhile.
create or replace trigger revision before update of partner_id, contact_name, phone, address, fault, description, photos, due_on, out_carrier, out_number,
  back_carrier, back_number, engineer_id, diagnosis, currency, parts, labour, warranty, warranty_reason, costs
  on order_order for each row execute function revision_next();
