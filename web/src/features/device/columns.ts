/** Columns that the lists of this folder have in common. */
export const snColumn = { key: 'sn', title: 'device.sn', kind: 'code', sort: true, pinned: 'left', width: 190 } as const;
export const deviceColumn = { ...snColumn, link: (row: { readonly id: number }) => `/device/deviceDetail/${row.id}` } as const;
export const createdColumn = { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 170 } as const;
/** What it is, and whose. */
export const belonging = [
  { key: 'productName', title: 'device.product', width: 150 },
  { key: 'deptName', title: 'device.dept', width: 180 },
] as const;
