import { deviceCalls } from '@mooring/contract/device/calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import type { Versions } from '@mooring/contract/stats/schemas';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Asked, listOf } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

function Product({ of, where }: { of: Versions['products'][number]; where: Asked['where'] }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const here = { ...where, productId: of.productId };
  const rows = [
    ...of.versions.map((one) => ({ ...one, to: listOf(platform, here, { firmware: one.version }) })),
    ...(of.others > 0 ? [{ version: t('home.versions.others'), count: of.others, behind: false, to: listOf(platform, here) }] : []),
  ];
  return (
    <li className="m-stack-tight m-home-product">
      <div>
        <h3>{of.productName}</h3>
        <p className="m-small m-muted">
          {of.newest === null ? t('home.versions.noPackage') : t('home.versions.newest', { version: of.newest })}
          {of.newest === null ? null : ' · '}
          {of.newest === null ? null : of.behind === 0 ? (
            t('home.versions.current')
          ) : (
            <Link to={listOf(platform, here, { behind: 'true' })}>{t('home.versions.behind', { count: of.behind })}</Link>
          )}
        </p>
      </div>
      <ul className="m-bars">
        {rows.map(({ version, count, behind, to }) => (
          <li key={version}>
            <Link to={to} className={`m-bar m-bar-short ${behind ? 'm-bar-behind' : 'm-bar-current'}`}>
              <span className="m-clip">{version}</span>
              <span className="m-bar-track" aria-hidden="true">
                <span style={{ inlineSize: `${(100 * count) / of.total}%` }} />
              </span>
              <b>{format.number(count)}</b>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Which versions terminals run, by product, and how many are behind. */
export function VersionsCard({ asked: { where } }: { asked: Asked }) {
  const t = useT();
  const { platform } = useSession();
  const asked = useCall(homeCalls.versions, where, { every: 60, keep: true });
  const behind = asked.data?.behind ?? 0;
  const note =
    behind > 0 ? <Link to={listOf(platform, where, { behind: 'true' })}>{t('home.versions.behind', { count: behind })}</Link> : null;
  return (
    <Card title={t('home.versions')} note={note}>
      <Answered of={asked} height={160}>
        {({ products }) =>
          products.length === 0 ? (
            <Empty icon="upgrade" title={t('home.versions.none')} text={t('home.versions.none.text')}>
              <Offer call={deviceCalls.page} to={listOf(platform, where)}>
                {t('home.terminals.open')}
              </Offer>
            </Empty>
          ) : (
            <ul className="m-panel-body m-home-products">
              {products.map((one) => (
                <Product key={one.productId} of={one} where={where} />
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
