import type { Layout } from '@mooring/contract/desktop/layout';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { AddScreen } from './add-screen.tsx';
import { drawnScreens, makeMain, mayAddScreen, removeScreen } from './screens.ts';

interface TabsProps {
  layout: Layout;
  open: number;
  onOpen: (screen: number) => void;
  onPut: (layout: Layout) => void;
  disabled: boolean;
}

/** The screens that a desktop is drawn up for: one is open, one more is added, one is removed, another one becomes the main one. */
export function ScreenTabs({ layout, open, onOpen, onPut, disabled }: TabsProps) {
  const t = useT();
  const format = useFormat();
  const [isAdding, setAdding] = useState(false);
  const screens = drawnScreens(layout);
  const size = (at: number) => format.straight(sizeWords(screens[at] ?? layout));
  return (
    <>
      <nav className="m-row m-row-wrap" aria-label={t('desktop.screens')}>
        {screens.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a screen is its place
          <Button key={at} small look={at === open ? 'primary' : 'default'} pressed={at === open} onClick={() => onOpen(at)}>
            {at === 0 && screens.length > 1 ? t('desktop.screen.main', { screen: size(at) }) : format.straight(sizeWords(one))}
          </Button>
        ))}
        <Button small icon="add" disabled={disabled || !mayAddScreen(layout)} onClick={() => setAdding(true)}>
          {t('desktop.screen.add')}
        </Button>
        <Button
          small
          icon="home"
          disabled={disabled || open === 0}
          onClick={() => {
            onPut(makeMain(layout, open));
            onOpen(0);
          }}
        >
          {t('desktop.screen.makeMain')}
        </Button>
        <Button
          small
          icon="delete"
          disabled={disabled || open === 0}
          onClick={() => {
            onPut(removeScreen(layout, open));
            onOpen(open - 1);
          }}
        >
          {t('desktop.screen.remove')}
        </Button>
      </nav>
      {isAdding ? (
        <AddScreen
          layout={layout}
          from={open}
          onClose={() => setAdding(false)}
          onAdd={(next) => {
            setAdding(false);
            onPut(next);
            onOpen(screens.length);
          }}
        />
      ) : null}
    </>
  );
}
