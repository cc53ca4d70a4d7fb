export const PRODUCTS = '/device/product';
export const productPath = (row: { readonly id: number }): string => `${PRODUCTS}/${row.id}`;
export const editPath = (row: { readonly id: number }): string => `${PRODUCTS}/${row.id}/edit`;
