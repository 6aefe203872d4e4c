/**
 * A key and its certificate for tests of TLS on loopback, and for nothing else: anybody can read it here. It signs itself, is
 * for receiver.test, localhost and 127.0.0.1, and is valid until 2120.
 */
export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOVmhd4E4QtUJ+Hj5
2K5Stx7RRsUm0SoipGZ0SbDLZoehRANCAAQIlz8Lj6jqQl/wudtPKYLhpv5kxnB7
omxs77J4jPSrp3FJGAzbCjqyUpECKTaWeJA8CPT6A58g9bX1+dz3pMFl
-----END PRIVATE KEY-----
`

export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgTCCASagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5zdG9yZXdh
cmQgdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOc3RvcmV3YXJkIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQI
lz8Lj6jqQl/wudtPKYLhpv5kxnB7omxs77J4jPSrp3FJGAzbCjqyUpECKTaWeJA8
CPT6A58g9bX1+dz3pMFlo10wWzAdBgNVHQ4EFgQUDmpC/sf3K/MJPO8FEiOp9kKR
sdEwDwYDVR0TAQH/BAUwAwEB/zApBgNVHREEIjAggg1yZWNlaXZlci50ZXN0ggls
b2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhAKAXDakyVfqwiHPG9TYg
AZIbDzj0HQWgfLkg3WvKQwi9AiEArBK8vumtv53859tglPAoHItIfjDx191tjQOD
iOT1UH4=
-----END CERTIFICATE-----
`
