import { lazy, Suspense, useState } from 'react';
import { IconButton } from './button.tsx';
import { type ChartData, drawnOf, isBlank, toCsv } from './chart-data.ts';
import type { ChartKind } from './chart-option.ts';
import { saveFile } from './save-file.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { useSeen } from './seen.ts';
import { Bone, Empty } from './states.tsx';
import { useFormat, useT } from './words.ts';

const Canvas = lazy(() => import('./chart-canvas.tsx').then((found) => ({ default: found.ChartCanvas })));

export interface ChartProps {
  label: string;
  kind?: ChartKind;
  data: ChartData;
  write?: (value: number) => string;
  scale?: 'bytes' | 'level' | undefined;
}

const saveCsv = (data: ChartData, head: string, name: string): void =>
  saveFile(new Blob([toCsv(data, head)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);

/** A chart, its numbers as a table, and both as a download. */
export function Chart({ label, kind = 'line', data, write, scale }: ChartProps) {
  const t = useT();
  const format = useFormat();
  const [table, setTable] = useState(false);
  const [place, seen] = useSeen<HTMLElement>();
  const written = write ?? ((value: number) => format.number(value, 2));
  if (isBlank(data)) return <Empty icon="inbox" title={t('kit.chart.empty')} />;
  return (
    <figure ref={place}>
      <div className="m-chart-head">
        <IconButton
          small
          icon="columns"
          label={t(table ? 'kit.chart.chart' : 'kit.chart.table')}
          pressed={table}
          onClick={() => setTable(!table)}
        />
        <IconButton small icon="download" label={t('kit.chart.download')} onClick={() => saveCsv(data, t('kit.chart.category'), label)} />
      </div>
      {table ? (
        <ScrollRegion className="m-chart-table" label={label}>
          <table className="m-plain-table">
            <caption className="m-hidden">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{t('kit.chart.category')}</th>
                {data.series.map((one) => (
                  <th key={one.key} scope="col" className="m-num">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.categories.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name
                <tr key={`${at} ${name}`}>
                  <th scope="row">{name}</th>
                  {data.series.map((one) => (
                    <td key={one.key} className="m-num">
                      {one.values[at] === null || one.values[at] === undefined ? '–' : (one.beside ?? written)(one.values[at] as number)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : !seen ? (
        <div className="m-chart" data-unseen />
      ) : (
        <Suspense fallback={<Bone height={260} />}>
          <Canvas kind={kind} data={drawnOf(data)} write={written} scale={scale} label={label} />
        </Suspense>
      )}
    </figure>
  );
}
