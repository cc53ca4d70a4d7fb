import type { conditions } from '@mooring/contract/alert/conditions';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { askCall } from '../app.ts';
import type { FleetEstate } from '../fleet/fleet-estate.ts';
import type { Row } from '../row.ts';
import { measureBeats } from './p5-beats.ts';

/** The parent of all organisations has as many fences for all terminals as it may; each of these has as many again. */
const ORGANISATIONS = 49;
const FENCES = 20;
const RULES = 2;
const TOP = 2;
/** Where the terminals of the fleet say that they are: some fences hold all of it, others a part. */
const [LAT, LON] = [52.55, 13.45];

/** 1,000 fences and 100 rules by the product's own calls: the first of each for all terminals, the others for those of an organisation. */
async function guard(url: string, estate: FleetEstate): Promise<void> {
  const admin = await estate.session('platformAdmin', 1);
  const kinds = [
    { kind: 'battery', params: { below: 25 } },
    { kind: 'temperature', params: { above: 38 } },
    { kind: 'storage', params: { above: 95 } },
    { kind: 'signal', params: { below: -95 } },
  ] as const satisfies readonly { kind: keyof typeof conditions; params: object }[];
  for (let at = 0; at <= ORGANISATIONS; at += 1) {
    const deptId = at === 0 ? TOP : 100_000 + at;
    for (let n = 0; n < FENCES; n += 1) {
      const place = { lat: LAT + (n % 5) * 0.01, lon: LON + (n % 4) * 0.01, radius: 1000 + n * 500 };
      await askCall(url, geofenceCalls.add.path, admin, { name: `Fence ${n}`, deptId, shape: 'circle', ...place });
    }
    for (let n = 0; n < RULES; n += 1)
      await askCall(url, alertRuleCalls.add.path, admin, { name: `Rule ${n}`, deptId, ...kinds[(at + n) % kinds.length] });
  }
}

export const p19: Row = {
  id: 'P19',
  work: `beats as in P5 with ${(ORGANISATIONS + 1) * FENCES} geofences and ${(ORGANISATIONS + 1) * RULES} alert rules`,
  run: () => measureBeats(guard),
};
