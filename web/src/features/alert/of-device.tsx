import { ListView } from '../../kit/list/list-view.tsx';
import { ofDevice } from './alarm-lists.tsx';
import { Handling } from './handle.tsx';

/** The alarms of one terminal, the newest first. */
export function AlarmsOfDevice({ row }: { row: { readonly id: number } }) {
  return (
    <>
      <Handling />
      <ListView spec={ofDevice} fixed={{ deviceId: row.id }} queryPrefix="a." />
    </>
  );
}
