import { deviceCalls } from '@mooring/contract/device/calls';
import { mapCalls, type PlacedShop } from '@mooring/contract/device/map/map-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { useMemo } from 'react';
import { Link } from '../../../kit/link.tsx';
import { useMadeOf } from '../../../kit/live.ts';
import { useCall } from '../../../kit/queries.ts';
import { mayCall, useSession } from '../../../kit/session.ts';
import { terminalsPath } from '../../../kit/terminals-path.ts';
import { Switch } from '../../../ui/controls.tsx';
import type { MapView } from '../../../ui/map/map-canvas.tsx';
import type { MapMark } from '../../../ui/map/marks.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Note } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import type { useMapAddress } from './use-map-address.ts';

/** From here on shops are told apart, and from there on their names. */
const [NEAR, NAMED] = [13, 16];
const NAME_MOST = 28;
const EVERY_SECONDS = 60;

export const keyOfShop = ({ kind, id }: Pick<PlacedShop, 'kind' | 'id'>): string => `${kind}${id}`;
const short = (name: string) => (name.length > NAME_MOST ? `${name.slice(0, NAME_MOST - 1)}…` : name);
const none: readonly PlacedShop[] = [];

/** Shops in view, for those who may see merchants. */
export function useShops(address: ReturnType<typeof useMapAddress>, view: MapView | undefined) {
  const may = mayCall(mapCalls.shops);
  const isNear = (view?.zoom ?? 0) >= NEAR;
  const isAsked = may && address.isWithShops && isNear;
  useMadeOf('/device/map', ['/shop', '/merchant']);
  const { data } = useCall(
    mapCalls.shops,
    { box: view?.box ?? { south: 0, west: 0, north: 0, east: 0 } },
    { keep: true, every: EVERY_SECONDS, enabled: isAsked && address.active },
  );
  return { may, isNear, shops: isAsked ? (data?.shops ?? none) : none, tooMany: isAsked && data?.tooMany === true };
}
type Shops = ReturnType<typeof useShops>;

export const useShopMarks = ({ shops }: Shops, zoom: number, picked: ReadonlySet<string>): readonly MapMark[] =>
  useMemo(
    () =>
      shops.map((one) => ({
        key: keyOfShop(one),
        lat: one.lat,
        lon: one.lon,
        count: 1,
        parts: [],
        shop: true,
        label: zoom >= NAMED ? short(one.name) : '',
        picked: picked.has(keyOfShop(one)),
      })),
    [shops, zoom, picked],
  );

function ShopLine({ of }: { of: PlacedShop }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const [to, call] = of.kind === 'shop' ? [`/merchant/shop/${of.id}`, shopCalls.detail] : [`/merchant/${of.id}`, merchantCalls.detail];
  const about =
    of.kind === 'shop'
      ? t('map.shops.ofMerchant', { number: of.number, merchant: of.merchantName })
      : t('map.shops.at', { number: of.number });
  const count = t('map.shops.terminals', { n: of.terminals, count: format.total(of.terminals, of.capped) });
  const list = terminalsPath(platform, { [of.kind === 'shop' ? 'shopId' : 'merchantId']: String(of.id) });
  return (
    <li className="m-row m-row-wrap">
      <span className="m-grow m-stack-none">
        {mayCall(call) ? <Link to={to}>{of.name}</Link> : <span>{of.name}</span>}
        <span className="m-small m-muted">{about}</span>
      </span>
      {of.terminals > 0 && mayCall(deviceCalls.page) ? <Link to={list}>{count}</Link> : <span className="m-muted">{count}</span>}
    </li>
  );
}

export function ShopLines({ shops }: { shops: readonly PlacedShop[] }) {
  return (
    <ul className="m-plain-list">
      {shops.map((one) => (
        <ShopLine key={keyOfShop(one)} of={one} />
      ))}
    </ul>
  );
}

/** Their switch, and what is in view as a list: for whoever works without a mouse. */
export function ShopsInView({ of, address }: { of: Shops; address: ReturnType<typeof useMapAddress> }) {
  const t = useT();
  if (!of.may) return null;
  const said = !address.isWithShops
    ? undefined
    : !of.isNear || of.tooMany
      ? t('map.shops.nearer')
      : of.shops.length === 0
        ? t('map.shops.none')
        : undefined;
  return (
    <>
      <div className="m-row m-row-wrap">
        <Switch label={t('map.shops')} value={address.isWithShops} onChange={address.showShops} />
        <span aria-hidden="true">{t('map.shops')}</span>
        {said && !of.tooMany ? <span className="m-small m-muted">{said}</span> : null}
      </div>
      {of.tooMany ? <Note tone="info">{said}</Note> : null}
      {of.shops.length > 0 ? (
        <ScrollRegion className="m-scroll m-map-shops" label={t('map.shops.inView')}>
          <ShopLines shops={of.shops} />
        </ScrollRegion>
      ) : null}
    </>
  );
}
