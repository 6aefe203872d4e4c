import { open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

// The floor of uploads: receives them as the server does, and only writes their bytes to the disk. Prints its port.

const [, , folder = ''] = process.argv
let count = 0

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const path = join(folder, `floor-${count++}`)
    const file = await open(path, 'w')
    for await (const chunk of request) await file.writeFile(chunk)
    await file.sync()
    await file.close()
    await rm(path)
  }
  response.end(JSON.stringify({ job_id: '1', data: { status: 'COMPLETED', result: { theme_id: '1' } } }))
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
