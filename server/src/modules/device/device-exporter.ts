import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { t } from '../../platform/texts/translate.ts';
import { exporter } from '../../platform/work/exporter.ts';
import { pageDevices, type readDevice } from './page-devices.ts';

type Row = Awaited<ReturnType<typeof readDevice>>;
const moment = (value: Date | string | null) => (value === null ? null : new Date(value));

/** The device list as a file: the columns of the page, in the person's language. */
export const deviceExporter = exporter<Row>({
  name: 'device',
  title: 'work.export.device',
  can: deviceCalls.export.can,
  sort: 'sn',
  page: pageDevices as never,
  columns: {
    sn: { title: 'device.sn', cell: (row) => row.sn },
    name: { title: 'device.name', cell: (row) => row.name },
    status: { title: 'device.status', cell: (row, lang) => t(lang, `life.device.${deviceMachine.byCode[row.status]}`) },
    productName: { title: 'device.product', cell: (row) => row.productName },
    deptName: { title: 'device.dept', cell: (row) => row.deptName },
    merchantName: { title: 'device.merchant', cell: (row) => row.merchantName },
    shopName: { title: 'device.shop', cell: (row) => row.shopName },
    firmware: { title: 'device.firmware', cell: (row) => row.firmware },
    battery: { title: 'device.battery', cell: (row) => row.battery },
    network: { title: 'device.network', cell: (row, lang) => (row.network ? t(lang, `device.network.${row.network}`) : '') },
    lastSeenAt: { title: 'device.lastSeenAt', cell: (row) => moment(row.lastSeenAt) },
    tags: { title: 'device.tags', cell: (row) => row.tags.join(', ') },
    testTerminal: { title: 'device.testTerminal', cell: (row, lang) => t(lang, row.testTerminal ? 'kit.yes' : 'kit.no') },
    groups: { title: 'device.groups', cell: (row) => row.groups.map((one) => one.name).join(', ') },
    createdAt: { title: 'device.createdAt', cell: (row) => moment(row.createdAt) },
    activatedAt: { title: 'device.activatedAt', cell: (row) => moment(row.activatedAt) },
    timeZone: { title: 'device.timeZone', cell: (row) => row.timeZone },
    imei: { title: 'device.imei', cell: (row) => row.imei },
    iccid: { title: 'device.iccid', cell: (row) => row.iccid },
    mac: { title: 'device.mac', cell: (row) => row.mac },
    pn: { title: 'device.pn', cell: (row) => row.pn },
  },
});
