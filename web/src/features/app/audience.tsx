import { neededAndroid } from '@mooring/contract/app/needed-android';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { VersionProfiles } from './version-profiles.tsx';
import type { Version } from './versions.tsx';

/** Of products whose Android nobody stated, neither developer nor reviewer learns whether the package runs there. */
export function AndroidUnknown({ row }: { row: Version }) {
  const t = useT();
  const products = row.products.filter(({ androidSdk }) => androidSdk === null);
  if (products.length === 0) return null;
  return (
    <Note tone="warn">
      {t('appVersion.androidUnknown', { products: products.map(({ name }) => name).join(', '), needs: `API ${neededAndroid(row)}` })}
    </Note>
  );
}

/** For which products, and for whom. */
export function Audience({ row }: { row: Version }) {
  const t = useT();
  const names = (list: readonly { readonly name: string }[]) => (list.length === 0 ? '–' : list.map(({ name }) => name).join(', '));
  return (
    <div className="m-stack">
      <AndroidUnknown row={row} />
      <dl className="m-facts m-panel">
        <div>
          <dt>{t('appVersion.products')}</dt>
          <dd>{names(row.products)}</dd>
        </div>
        <div>
          <dt>{t('appVersion.scope')}</dt>
          <dd>{t(`appVersion.scope.${row.scope}`)}</dd>
        </div>
        {row.depts.length > 0 ? (
          <div>
            <dt>{t('appVersion.depts')}</dt>
            <dd>{names(row.depts)}</dd>
          </div>
        ) : null}
        {row.sns.length > 0 ? (
          <div>
            <dt>{t('appVersion.sns')}</dt>
            <dd className="m-mono">{row.sns.join(', ')}</dd>
          </div>
        ) : null}
      </dl>
      <VersionProfiles row={row} />
    </div>
  );
}
