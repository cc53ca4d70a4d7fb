interface Row {
  readonly id: number;
}
export const appPath = ({ id }: Row): string => `/app/detail/${id}`;
export const versionPath = ({ id }: Row): string => `/app/version/${id}`;
/** What terminals on older versions fetch in its place. */
export const deltasPath = (row: Row): string => `${versionPath(row)}?tab=differences`;
export const editPath = ({ id }: Row): string => `/app/version/${id}/edit`;
export const templatePath = (id: number): string => `/pos/paramstemplate/detail/${id}`;
/** The specification’s address of a subscription: its id finds it, key and organisation tell people which it is. */
export const subscriptionPath = (row: { readonly id: number; readonly appKey: string; readonly deptId: number }): string =>
  `/appSub/${row.id}/${row.appKey}/${row.deptId}`;
