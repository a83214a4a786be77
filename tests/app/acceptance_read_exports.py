"""Reads what the acceptance script exported, with nothing but Python's own library.

npz FILE NAME        prints the number of values of an array and the first one
events FOLDER        prints "tag step value" of every scalar of a TensorBoard folder
"""
import ast
import pathlib
import struct
import sys
import zipfile


def array(file, name):
    data = zipfile.ZipFile(file).read(name + ".npy")
    assert data[:6] == b"\x93NUMPY", "no npy header"
    length = struct.unpack("<H", data[8:10])[0] if data[6] == 1 else struct.unpack("<I", data[8:12])[0]
    begin = 10 if data[6] == 1 else 12
    header = ast.literal_eval(data[begin:begin + length].decode("latin-1"))
    assert header["descr"] == "<f8", header
    return struct.unpack("<%dd" % ((len(data) - begin - length) // 8), data[begin + length:])


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        length, check = struct.unpack("<QI", data[at:at + 12])
        assert check == masked_crc(data[at:at + 8]), "length CRC"
        body = data[at + 12:at + 12 + length]
        assert struct.unpack("<I", data[at + 12 + length:at + 16 + length])[0] == masked_crc(body), "CRC"
        at += 16 + length
        yield body


def fields(data):
    """(number, value) of a protobuf message; bytes stay bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        kind = tag & 7
        if kind == 0:
            yield tag >> 3, varint()
        elif kind == 2:
            size = varint()
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            size = 8 if kind == 1 else 4
            yield tag >> 3, struct.unpack("<d" if kind == 1 else "<f", data[at:at + size])[0]
            at += size


def scalars(folder):
    for file in sorted(pathlib.Path(folder).rglob("*tfevents*")):
        for record in records(file.read_bytes()):
            event = dict(fields(record))
            for value in (v for n, v in fields(event.get(5, b"")) if n == 1):
                parts = dict(fields(value))
                if 2 in parts:
                    yield parts[1].decode(), event.get(2, 0), parts[2]


def main():
    kind = sys.argv[1]
    if kind == "npz":
        values = array(sys.argv[2], sys.argv[3])
        print(len(values), repr(values[0]))
    else:
        for tag, step, value in scalars(sys.argv[2]):
            print(tag, step, repr(value))


main()
