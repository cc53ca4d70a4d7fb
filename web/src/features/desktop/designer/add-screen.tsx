import { Figures, type Layout } from '@mooring/contract/desktop/layout';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { useState } from 'react';
import { check } from '../../../kit/form/schema.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { ScreenFigures, type Typed } from './screen-figures.tsx';
import { addScreen, commonScreens, drawnScreens } from './screens.ts';

interface AddScreenProps {
  layout: Layout;
  /** The screen whose tiles it gets. */
  from: number;
  onAdd: (layout: Layout) => void;
  onClose: () => void;
}

/** A screen that many terminals have, or one by its figures. */
export function AddScreen({ layout, from, onAdd, onClose }: AddScreenProps) {
  const t = useT();
  const format = useFormat();
  const there = drawnScreens(layout).map(sizeWords);
  const common = commonScreens.filter((one) => !there.includes(sizeWords(one)));
  const [figures, setFigures] = useState<Typed>(() => common[0] ?? commonScreens[0] ?? { width: '', height: '', columns: '', rows: '' });
  const { width, height, columns, rows } = figures;
  const typed = { width, height, columns, rows };
  const { data } = Figures.safeParse(typed);
  const { layout: made, problem } = data ? addScreen(layout, from, data) : { layout: undefined, problem: undefined };
  const problems = problem ? { [problem === 'invalid.screenDoubled' ? 'width' : 'columns']: problem } : check(Figures, typed);
  return (
    <Dialog
      open
      title={t('desktop.screen.add')}
      onClose={onClose}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" disabled={made === undefined} onClick={() => made && onAdd(made)}>
            {t('desktop.screen.add')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <p>{t('desktop.screen.add.about', { screen: there[from] ?? '' })}</p>
        <fieldset className="m-row m-row-wrap m-designer-kinds">
          <legend className="m-hidden">{t('desktop.screen.common')}</legend>
          {common.map((one) => (
            <Button key={sizeWords(one)} small pressed={one.width === width && one.height === height} onClick={() => setFigures(one)}>
              {t(`desktop.screen.common.${one.of}`, { screen: format.straight(sizeWords(one)) })}
            </Button>
          ))}
        </fieldset>
        <ScreenFigures value={figures} problems={problems} onChange={(name, next) => setFigures({ ...figures, [name]: next })} />
      </div>
    </Dialog>
  );
}
