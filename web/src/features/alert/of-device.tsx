import { ListView } from '../../kit/list/list-view.tsx';
import { ofDevice } from './alarm-lists.tsx';

/** The alarms of one terminal, the newest first. */
export const AlarmsOfDevice = ({ row }: { row: { readonly id: number } }) => (
  <ListView spec={ofDevice} fixed={{ deviceId: row.id }} queryPrefix="a." />
);
