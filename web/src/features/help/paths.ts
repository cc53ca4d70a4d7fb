export const CONSOLE = '/helpCenterConsole';
export const articlePath = (row: { readonly id: number }): string => `${CONSOLE}/${row.id}`;
export const editPath = (row: { readonly id: number }): string => `${CONSOLE}/${row.id}/edit`;
