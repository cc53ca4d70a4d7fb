import { sql } from 'kysely';
import type { Db } from '../platform/context.ts';

const cities = [
  { zone: 'Asia/Shanghai', lat: 31.2304, lon: 121.4737 },
  { zone: 'Asia/Shanghai', lat: 39.9042, lon: 116.4074 },
  { zone: 'Asia/Shanghai', lat: 22.5431, lon: 114.0579 },
  { zone: 'Asia/Shanghai', lat: 30.5728, lon: 104.0668 },
  { zone: 'Europe/Berlin', lat: 52.52, lon: 13.405 },
  { zone: 'Europe/Berlin', lat: 53.5511, lon: 9.9937 },
  { zone: 'Europe/Berlin', lat: 48.8566, lon: 2.3522 },
  { zone: 'Europe/Berlin', lat: 40.4168, lon: -3.7038 },
  { zone: 'Europe/Berlin', lat: 59.3293, lon: 18.0686 },
  { zone: 'America/Sao_Paulo', lat: -23.5505, lon: -46.6333 },
  { zone: 'America/Sao_Paulo', lat: -22.9068, lon: -43.1729 },
  { zone: 'America/Sao_Paulo', lat: -25.4284, lon: -49.2733 },
] as const;

/** Merchants and shops get a place in a city of their time zone; most terminals say where they are by themselves, and some of those were on the way. */
export async function seedPlaces(db: Db): Promise<void> {
  await sql`
    with cities as (
      select *, row_number() over (partition by zone order by lat) - 1 as place, count(*) over (partition by zone) as all_
      from jsonb_to_recordset(${JSON.stringify(cities)}::jsonb) as c(zone text, lat float8, lon float8)
    )
    update merchant_merchant m set lat = round((c.lat + ((m.id * 37 % 100) - 50) * 0.0016)::numeric, 5), lon = round((c.lon + ((m.id * 61 % 100) - 50) * 0.0022)::numeric, 5)
    from org_dept d, cities c where d.id = m.dept_id and c.zone = d.time_zone and c.place = m.id % c.all_`.execute(db);
  await sql`
    update merchant_shop s set lat = m.lat + (s.id % 7 - 3) * 0.004, lon = m.lon + (s.id % 5 - 2) * 0.005 from merchant_merchant m where m.id = s.merchant_id`.execute(
    db,
  );
  const told = sql`v.status = '2' and v.id % 4 <> 0`;
  await sql`
    update device_presence p set lat = s.lat + (v.id % 11 - 5) * 0.0008, lon = s.lon + (v.id % 13 - 6) * 0.0009, accuracy = 5 + v.id % 40,
      position_source = (array['gps', 'gps', 'wifi', 'cell'])[1 + v.id % 4], positioned_at = p.seen_at
    from device v join merchant_shop s on s.id = v.shop_id where p.device_id = v.id and ${told}`.execute(db);
  await sql`
    update device_place w set lat = p.lat, lon = p.lon, accuracy = p.accuracy, source = p.position_source, at = p.positioned_at
    from device_presence p where p.device_id = w.device_id and p.lat is not null`.execute(db);
  await sql`
    insert into device_track (device_id, at, lat, lon, accuracy, source, dept_path)
    select v.id, date_trunc('minute', now()) - h * interval '50 minutes', p.lat + sin(h * 0.9 + v.id) * 0.006 * least(h, 6) / 6, p.lon + cos(h * 0.7 + v.id) * 0.009 * least(h, 6) / 6,
      p.accuracy, p.position_source, v.dept_path
    from device v join device_presence p on p.device_id = v.id cross join generate_series(0, 40) h where p.lat is not null and v.id % 20 = 1
    on conflict do nothing`.execute(db);
}
