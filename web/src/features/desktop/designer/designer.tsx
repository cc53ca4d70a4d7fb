import type { Layout, ScreenLayout } from '@mooring/contract/desktop/layout';
import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ControlPart } from '../../../kit/form/types.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Unlinked } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useT } from '../../../ui/words.ts';
import { AddTiles } from './add-tiles.tsx';
import { Board } from './board.tsx';
import { DesignerTools } from './designer-tools.tsx';
import { addTile, type Draft } from './edits.ts';
import { PageTabs } from './page-tabs.tsx';
import { ShownPage } from './screen.tsx';
import { ScreenPanel } from './screen-panel.tsx';
import { ScreenTabs } from './screen-tabs.tsx';
import { changedScreen, putScreen, screenAt } from './screens.ts';
import { TilePanel } from './tile-panel.tsx';
import { Unfinished } from './unfinished.tsx';
import { useHistory } from './use-history.ts';

interface Open {
  readonly screen: number;
  readonly page: number;
}

/** Which screen and page of it is open, as far as they are there. */
function useOpen(value: Layout) {
  const [open, setOpen] = useState<Open>({ screen: 0, page: 0 });
  const at = Math.min(open.screen, value.sizes?.length ?? 0);
  const screen = screenAt(value, at);
  return { at, screen, page: Math.min(open.page, screen.pages.length - 1), setOpen };
}

/** A home screen is arranged: pages of tiles for one screen or several, by mouse or keyboard, with every step taken back again. */
export function Designer({ value, onChange, disabled }: ControlPart<Layout>) {
  const t = useT();
  const { at, screen, page, setOpen } = useOpen(value);
  const [chosen, choose] = useState<string>();
  const [isShown, show] = useState(false);
  const [sought, seek] = useState<{ readonly id: string | undefined }>();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sought) panel.current?.querySelector('input')?.focus();
  }, [sought]);
  const turn = (to: Open) => {
    setOpen(to);
    choose(undefined);
  };
  // A step is seen where it changes something.
  const history = useHistory(value, onChange, (next) => {
    const changed = changedScreen(value, next);
    if (changed !== at) turn({ screen: changed, page: 0 });
  });
  const { put, undo, redo } = history;
  const putHere = (next: ScreenLayout) => put(putScreen(value, at, next));
  const tile = screen.pages[page]?.tiles.find((one) => one.id === chosen);
  const add = (draft: Draft, size: { w: number; h: number }) => {
    const added = addTile(screen, page, draft, { w: Math.min(size.w, screen.columns), h: Math.min(size.h, screen.rows) });
    if (!added) return toast('warning', t('desktop.full'));
    putHere(added.layout);
    choose(added.id);
  };
  const onKeys = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return;
    // A dialog over it is none of its place, though its keys come by here.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    const step =
      event.key === 'z' && !event.shiftKey
        ? undo
        : event.key === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey)
          ? redo
          : undefined;
    if (!step) return;
    event.preventDefault();
    step();
  };
  const part = { layout: screen, page, disabled };
  return (
    <Unlinked>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the shortcuts of the buttons inside */}
      <div className="m-designer" onKeyDown={onKeys}>
        <div className="m-stack">
          <DesignerTools
            layout={value}
            history={history}
            onShow={() => show(true)}
            onImported={(layout) => {
              put(layout);
              turn({ screen: 0, page: 0 });
            }}
            disabled={disabled}
          />
          <ScreenTabs layout={value} open={at} onOpen={(to) => turn({ screen: to, page: 0 })} onPut={put} disabled={disabled} />
          <AddTiles onAdd={add} disabled={disabled} />
          <div>
            <Board {...part} key={at} wallpaperId={value.wallpaperId} chosen={chosen} onChoose={choose} onPut={putHere} />
            <PageTabs {...part} onTurn={(to) => turn({ screen: at, page: to })} onPut={putHere} />
            <Unfinished
              layout={value}
              open={at}
              chosen={chosen}
              onGo={({ screen: to, page: there, id }) => {
                setOpen({ screen: to, page: there ?? 0 });
                choose(id);
                if (id !== undefined || there === undefined) seek({ id });
              }}
            />
          </div>
        </div>
        <div className="m-stack" ref={panel}>
          {tile ? <TilePanel layout={screen} page={page} tile={tile} onPut={putHere} onGone={() => choose(undefined)} /> : null}
          <ScreenPanel layout={screen} isMain={at === 0} onPut={putHere} disabled={disabled} />
        </div>
      </div>
      {isShown ? (
        <Dialog open title={t('desktop.preview.of', { number: page + 1, screen: sizeWords(screen) })} onClose={() => show(false)}>
          <ShownPage layout={{ ...screen, wallpaperId: screen.wallpaperId ?? value.wallpaperId }} page={page} />
        </Dialog>
      ) : null}
    </Unlinked>
  );
}
