/**
 * The use of groups that can be confused with another one. Both versions of a resource need a note (core/rest/document/openapi.ts); other groups of
 * the older family have a common one.
 */
export const GROUP_NOTES: Readonly<Record<string, string>> = {
  'Orders (v2)':
    'All orders are here: there is no newer version. Refunds, captures, transactions, pickups and metafields of orders are groups without `(v2)`, and use the same ids.',
  'Order settings':
    'Settings of the store and of channels about orders. The orders themselves are in the group `Orders (v2)`.',
  Brands: 'Use this version: it has filters, pictures and metafields.',
  'Brands (v2)': 'The same brands for older programs. New programs use `Brands`.',
  Customers:
    'Use this version: a request changes several customers, and lists include addresses, attributes and form fields. Find one customer with `id:in`.',
  'Customers (v2)':
    'The same customers, one in a request, for older programs. New programs use `Customers`, and `Customer credentials` to validate a password.',
  'Customer addresses': 'Use this version: it has the addresses of all customers, and a request changes several.',
  'Customer addresses (v2)':
    'The same addresses, one in a request, for older programs. New programs use `Customer addresses`.',
  Pages: 'Use this version: a request changes one page or several, and the body of a page is optional in lists.',
  'Pages (v2)': 'The same pages, one in a request, for older programs. New programs use `Pages`.',
  'Payment methods': 'The methods for paying a certain order or checkout, for programs that process the payment.',
  'Payment methods (v2)': 'The methods that are switched on in the store, whatever is paid.',
  Redirects:
    'Use this version: it overwrites and deletes by site and path, leads to products and categories besides addresses, and imports and exports files.',
  'Redirects (v2)': 'The same redirects by id, one in a request, for older programs. New programs use `Redirects`.',
  'Tax classes': 'Creates, renames and deletes classes. The list of classes is in `Tax classes (v2)`.',
  'Tax classes (v2)': 'Lists classes. Create, rename and delete them with `Tax classes`.',
  'Tax rates': 'The rates of each zone. The classes of products that they name are in `Tax classes (v2)`.',
}
