import { Layout, picturesOf, type ScreenLayout } from '@mooring/contract/desktop/layout';
import { fileCalls } from '@mooring/contract/file/calls';
import { api } from '../../../kit/client.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { changeScreens } from './screens.ts';

const MOST = 4 * 1024 * 1024;

export const exportLayout = (layout: Layout): void =>
  saveFile(new Blob([JSON.stringify(layout, null, 2)], { type: 'application/json' }), 'desktop.json');

type Read = { readonly layout: Layout; readonly leftOut: number } | { readonly problem: string };

async function mayRead(id: number): Promise<boolean> {
  try {
    await api(fileCalls.getSecurityToken, { id }, { hidden: true });
    return true;
  } catch {
    return false;
  }
}

const withoutPictures = (screen: ScreenLayout, gone: ReadonlySet<number>): ScreenLayout => ({
  ...screen,
  pages: screen.pages.map(({ tiles }) => ({ tiles: tiles.filter((tile) => tile.kind !== 'picture' || !gone.has(tile.fileId)) })),
  wallpaperId: screen.wallpaperId !== null && gone.has(screen.wallpaperId) ? null : screen.wallpaperId,
});

/** A layout out of a file, checked like any other; pictures that aren't here, or not for this person, are left out of it. */
export async function importLayout(file: File): Promise<Read> {
  if (file.size > MOST) return { problem: 'desktop.import.broken' };
  let given: unknown;
  try {
    given = JSON.parse(await file.text());
  } catch {
    return { problem: 'desktop.import.broken' };
  }
  const { data, error } = Layout.safeParse(given);
  if (!data) {
    const { message = '' } = error.issues[0] ?? {};
    return { problem: message.startsWith('invalid.') ? message : 'desktop.import.broken' };
  }
  const gone = new Set<number>();
  for (const id of new Set(picturesOf(data))) if (!(await mayRead(id))) gone.add(id);
  return { layout: changeScreens(data, (screen) => withoutPictures(screen, gone)), leftOut: gone.size };
}
