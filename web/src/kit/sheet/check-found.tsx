import type { SheetChecked } from '@mooring/contract/kit/import';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Note } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { type TextKey, useFormat, useLooseT, useT } from '../../ui/words.ts';

/** What a check found: figures, wrong cells, and what would change. */
interface Props {
  found: SheetChecked;
  /** What one of those is called that are changed, where any are. */
  changes: TextKey | undefined;
  onReport: () => void;
}
export function CheckFound({ found, changes, onReport }: Props) {
  const t = useT();
  const format = useFormat();
  const figures = [
    [t('kit.sheet.rows'), found.rows],
    [t('kit.sheet.good'), found.good],
    [t('kit.sheet.wrong'), found.wrongCells],
    ...(found.adding > 0 ? [[t('kit.sheet.adding'), found.adding] as const] : []),
    ...(found.changes.length > 0 ? [[t('kit.sheet.changing'), found.changing - found.adding] as const] : []),
  ] as const;
  if (found.rows === 0) return <Note tone="warn">{t('kit.sheet.noRows')}</Note>;
  return (
    <div className="m-stack">
      <FactList facts={figures.map(([name, value]) => [name, format.number(value)] as const)} />
      {found.wrongCells > 0 ? <WrongCells found={found} onReport={onReport} /> : null}
      {changes && found.changes.length > 0 ? <Changes found={found} name={changes} /> : null}
      {changes && found.changing === 0 && found.wrongCells === 0 ? <Note tone="info">{t('kit.sheet.nothing')}</Note> : null}
    </div>
  );
}

function WrongCells({ found, onReport }: { found: SheetChecked; onReport: () => void }) {
  const t = useT();
  const loose = useLooseT();
  return (
    <section className="m-stack-tight" aria-label={t('kit.sheet.wrong')}>
      <ScrollRegion className="m-failures" label={t('kit.sheet.wrong')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('kit.sheet.row')}</th>
              <th scope="col">{t('kit.sheet.column')}</th>
              <th scope="col">{t('kit.sheet.value')}</th>
              <th scope="col">{t('kit.sheet.why')}</th>
            </tr>
          </thead>
          <tbody>
            {found.wrong.map((one) => (
              <tr key={`${one.row}:${one.column}:${one.fault}`}>
                <td>{one.row}</td>
                <td>{loose(one.column, one.column)}</td>
                <td className="m-mono">{one.value}</td>
                <td>{one.words ? loose(one.words.key, one.words.key, one.words.params) : loose(`fault.${one.fault}`, one.fault)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {found.wrongCells > found.wrong.length ? (
        <p className="m-muted">{t('kit.sheet.first', { shown: found.wrong.length, total: found.wrongCells })}</p>
      ) : null}
      <p className="m-muted">{t('kit.sheet.reportAbout')}</p>
      <span>
        <Button icon="download" onClick={onReport}>
          {t('kit.sheet.report')}
        </Button>
      </span>
    </section>
  );
}

function Changes({ found, name }: { found: SheetChecked; name: TextKey }) {
  const t = useT();
  const loose = useLooseT();
  return (
    <section className="m-stack-tight" aria-label={t('kit.sheet.changing')}>
      <ScrollRegion className="m-failures" label={t('kit.sheet.changing')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t(name)}</th>
              <th scope="col">{t('kit.sheet.column')}</th>
              <th scope="col">{t('kit.sheet.from')}</th>
              <th scope="col">{t('kit.sheet.to')}</th>
            </tr>
          </thead>
          <tbody>
            {found.changes.map((one) => (
              <tr key={`${one.row}:${one.column}`}>
                <td className="m-mono">{one.label}</td>
                <td>{loose(one.column, one.column)}</td>
                <td>{one.isNew ? <Tag tone="info">{t('kit.sheet.isNew')}</Tag> : one.from}</td>
                <td>{one.to}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {found.changes.length >= 500 ? <p className="m-muted">{t('kit.sheet.firstChanges', { shown: found.changes.length })}</p> : null}
    </section>
  );
}
