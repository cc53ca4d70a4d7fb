import { ListView } from '../../kit/list/list-view.tsx';
import { orderList } from './orders.tsx';

interface Of {
  readonly row: { readonly id: number };
}
/** Its orders, on the page of a terminal. */
export const OrdersOfDevice = ({ row }: Of) => <ListView key={row.id} spec={orderList} fixed={{ deviceId: row.id }} queryPrefix="o." />;
/** The same of a merchant. */
export const OrdersOfMerchant = ({ row }: Of) => <ListView key={row.id} spec={orderList} fixed={{ merchantId: row.id }} queryPrefix="o." />;
