import type { ModelChange } from '@mooring/contract/product/model-changes';
import { Tag } from '../../../ui/status-tag.tsx';
import { useT } from '../../../ui/words.ts';

/** What became of a model, part by part; what breaks comes first. */
export function Changes({ changes }: { changes: readonly ModelChange[] }) {
  const t = useT();
  if (changes.length === 0) return <p className="m-muted">{t('model.noChanges')}</p>;
  const sorted = [...changes.filter((one) => one.breaking), ...changes.filter((one) => !one.breaking)];
  return (
    <ul className="m-plain-list m-stack-tight">
      {sorted.map((one) => (
        <li key={`${one.list} ${one.at} ${one.what}`} className="m-row m-row-wrap">
          <span>{t(`model.${one.list}`)}</span>
          {one.at === '' ? null : <span className="m-mono">{one.at}</span>}
          <span className="m-muted">{t(`model.change.${one.what}`)}</span>
          {one.breaking ? <Tag tone="danger">{t('model.breaking')}</Tag> : null}
        </li>
      ))}
    </ul>
  );
}
